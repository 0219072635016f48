import { parseHolding } from '@headworks/use-cases';
import { createKey, openKeys, ROLES } from '@headworks/wiring';
import { complain, print, type Command, type Flags } from '../command';

/** Why no key can be made of what was said, or undefined. */
function faultOf({ name, role = [], jurisdiction = [], holder = [] }: Flags): string | undefined {
  const unknown = role.filter((one) => !ROLES.includes(one));
  const unread = holder.filter((one) => !parseHolding(one));
  if (name === undefined) return 'A key has a --name, so that it can be told from the others.';
  if (role.length === 0 || unknown.length > 0) {
    return `A key has at least one --role of ${ROLES.join(', ')}${unknown.length > 0 ? `; not ${unknown.join(', ')}` : ''}.`;
  }
  if (jurisdiction.length === 0) return "A key has at least one --jurisdiction, or '*' for all of them.";
  if (unread.length > 0)
    return `A --holder is written kind:key, as hauler:12345; not ${unread.map((one) => `'${one}'`).join(', ')}.`;
  if (holder.length > 0 && !role.includes('holder'))
    return 'A --holder says whose a holder is; add --role holder, or leave it out.';
  if (holder.length === 0 && role.every((one) => one === 'holder'))
    return 'A holder sees and files its own alone: say whose it is with --holder kind:key, as hauler:12345.';
  return undefined;
}

export const createApiKey: Command = {
  words: 'keys create',
  args: '--name NAME --role ROLE... --jurisdiction ID... [--holder KIND:KEY...]',
  about: 'makes an API key and prints it, once',
  run: async (config, _args, flags) => {
    const fault = faultOf(flags);
    if (fault !== undefined) return complain(fault);
    const { name = '', role: roles = [], jurisdiction: jurisdictions = [], holder = [] } = flags;
    const keys = await openKeys(config);
    try {
      const createdAt = new Date().toISOString();
      const holds = holder.flatMap((one) => parseHolding(one) ?? []);
      const { secret, row } = await createKey(keys, { name, roles, jurisdictions, holds, createdAt });
      const whose = holder.length > 0 ? ` for ${holder.join(', ')}` : '';
      print(
        `${secret}\n\nkey ${row.id} (${name}): ${roles.join(', ')} in ${jurisdictions.join(', ')}${whose}. It is not shown again.`,
      );
      return 0;
    } finally {
      await keys.close();
    }
  },
};

export const listApiKeys: Command = {
  words: 'keys list',
  args: '[--json]',
  about: 'lists the API keys (never their secrets)',
  run: async (config, _args, { json }) => {
    const keys = await openKeys(config);
    try {
      const rows = (await keys.listApiKeys()).map(({ secretHash: _hash, ...row }) => row);
      if (json) print(JSON.stringify(rows, null, 2));
      else if (rows.length === 0) print('There is no key yet; the first start makes an administrator’s.');
      for (const row of json ? [] : rows) {
        const state = row.revokedAt === null ? 'live' : `revoked ${row.revokedAt}`;
        const holds = row.holds.map(({ kind, key }) => `${kind}:${key}`).join(',');
        const of = [row.roles.join(','), row.jurisdictions.join(','), ...(holds === '' ? [] : [holds])];
        print([row.id, row.name, ...of, row.createdAt, state].join('  '));
      }
      return 0;
    } finally {
      await keys.close();
    }
  },
};

export const revokeApiKey: Command = {
  words: 'keys revoke',
  args: 'ID',
  about: 'ends an API key at once',
  run: async (config, [id]) => {
    if (id === undefined) return complain("Say which key: 'keys list' shows their ids.");
    const keys = await openKeys(config);
    try {
      const revoked = await keys.revokeApiKey(id, new Date().toISOString());
      if (!revoked) return complain(`There is no live key '${id}'.`);
      print(`Key ${id} is revoked.`);
      return 0;
    } finally {
      await keys.close();
    }
  },
};
