// npm run demo: two calendar years of two ordinances on a server of its own, over HTTP, in well under a minute. It is a
// SANDBOX: the time is virtual, the people and places are invented, and its data are thrown away.
import { Demo } from './demo.mjs';
import { importAgain, scenesOfFiles } from './files.mjs';
import { differences, figuresOf } from './figures.mjs';
import { instant, startSandbox } from './sandbox.mjs';
import { SCENES } from './story.mjs';

const json = process.argv.includes('--json');
const verbose = process.argv.includes('--verbose');
const say = (line) => void (json ? undefined : process.stdout.write(`${line}\n`));

/** Scenes in the order of their instants; what plays at one instant, in the order it was written. */
const playbill = [...SCENES, ...scenesOfFiles()]
  .map((scene) => ({ ...scene, ms: Date.parse(instant(scene.at)) }))
  .sort((a, b) => a.ms - b.ms);

async function play(sandbox) {
  let now = '';
  const demo = new Demo(sandbox, (line, quiet = false) => {
    if (!quiet || verbose) say(`  ${now}  ${line}`);
  });
  for (const [index, scene] of playbill.entries()) {
    now = scene.at;
    await demo.moveTo(scene.at);
    if (scene.chapter) say(`\n${scene.chapter} [${Math.round((100 * index) / playbill.length)} %]\n`);
    await scene.run?.(demo);
  }
  await demo.moveTo('2029-01-01 00:00');
  return demo.seen;
}

async function main() {
  const began = performance.now();
  const sandbox = await startSandbox();
  try {
    say('SANDBOX: the clock is virtual, the people and places are invented, and nothing of it is kept.');
    const seen = await play(sandbox);
    const { withdrawn, missed, standing, ...figures } = await figuresOf(sandbox.call);
    const wrong = differences(seen, figures);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    say(`  The files once more:\n  ${await importAgain(sandbox)}`);
    await sandbox.stop();
    const verified = await sandbox.cli('verify', 'log');
    const events = Number(/^(\d+) events/.exec(verified)[1]);
    const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
    for (const { clause, days, from } of standing) say(`  stands: ${clause} from ${from}, ${days} day(s)`);
    for (const { clause, who } of missed) say(`  missed: ${clause}, by ${who}`);
    say(`  ${withdrawn} violation(s) withdrawn\n  ${verified}\n`);
    process.stdout.write(`${JSON.stringify({ ...figures, events, seconds })}\n`);
  } catch (error) {
    process.stderr.write(`The demo stopped: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await sandbox.stop();
    sandbox.forget();
  }
}

await main();
