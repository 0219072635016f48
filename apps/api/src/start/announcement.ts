import type { Program } from '../program';

/** What a newcomer needs to know first: where it is, the key, and a call to paste. */
export function announcement(url: string, { config, firstKey }: Program): string {
  const base = url.replace(/\/$/, '');
  const lines = [
    `Headworks is up (${where(config)}${config.clock === 'virtual' ? ', SANDBOX: virtual clock' : ''}).`,
    '',
    `  API     ${base}/v1`,
    `  docs    ${base}/docs`,
    `  health  ${base}/health`,
    '',
    ...keyLines(firstKey, config.bootstrapKey),
    'A first call:',
    '',
    `  curl -s -H ${header(firstKey, config.bootstrapKey)} ${base}/v1/packs`,
    '',
    'Ctrl-C stops it.',
  ];
  return `${lines.join('\n')}\n`;
}

const where = ({ databaseUrl, dataDir }: Program['config']): string =>
  databaseUrl === undefined ? `embedded, data in ${dataDir}` : 'on PostgreSQL';

/** A key of the environment is not printed, logs outlive it; a shell opens its variable in double quotes. */
function header(first: string | undefined, bootstrap: string | undefined): string {
  if (first !== undefined) return `'Authorization: Bearer ${first}'`;
  return `"Authorization: Bearer ${bootstrap === undefined ? '<your key>' : '$HEADWORKS_BOOTSTRAP_KEY'}"`;
}

function keyLines(first: string | undefined, bootstrap: string | undefined): readonly string[] {
  if (first !== undefined) {
    return ["The first administrator's key. It is shown this once and kept nowhere:", '', `  ${first}`, ''];
  }
  if (bootstrap !== undefined) {
    return [
      'HEADWORKS_BOOTSTRAP_KEY is the first administrator’s key, if the store was empty when it started.',
      '',
    ];
  }
  return ['Keys stand in the store; `npm run cli -- keys create` makes another.', ''];
}
