/**
 * `node bin/checked.mjs start --port 0` runs `bin/start.ts`, or says in one sentence why it cannot. Plain JavaScript,
 * because it is what an older Node meets first.
 */
import { existsSync } from 'node:fs';

const neededMajor = 24;

function whyNot() {
  if (!existsSync(new URL('../node_modules/zod', import.meta.url))) {
    return 'The packages are not installed: run `npm ci` in this folder first.';
  }
  if (Number(process.versions.node.split('.')[0]) < neededMajor) {
    return (
      `This needs Node.js ${neededMajor} or newer, and this is ${process.version}. On Linux and Windows \`npm ci\` brings it, ` +
      'unless optional packages are left out; elsewhere install it yourself.'
    );
  }
}

const [, , command, ...args] = process.argv;
const reason = whyNot();
if (reason) {
  console.error(reason);
  process.exit(1);
}
process.argv.splice(2, process.argv.length, ...args);
await import(new URL(`${command}.ts`, import.meta.url).href);
