/**
 * `node bin/launch.mjs start --port 0` runs `bin/start.ts`, or prints in one sentence why this is impossible: packages
 * are missing, or Node is too old. This file is JavaScript, so that an older Node can run it.
 */
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;

function obstacle() {
  if (!existsSync(new URL('../node_modules/zod', import.meta.url))) {
    return 'The packages are not installed: run `npm ci` in this folder first.';
  }
  if (Number(process.versions.node.split('.')[0]) < neededMajor) {
    return (
      `This needs Node.js ${neededMajor} or newer, and this is ${process.version}. For the commands that npm runs, such as ` +
      '`npm start`, `npm ci` brings it on Linux, macOS and Windows, unless optional packages are left out.'
    );
  }
}

const [, , command = '', ...args] = process.argv;
const file = new URL(`${command}.ts`, import.meta.url);
const reason = obstacle();
if (reason) {
  console.error(reason);
  process.exit(1);
}
if (!existsSync(file)) {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  console.error(`There is no command '${command}'. \`npm run\` starts these: ${Object.keys(scripts).join(', ')}.`);
  process.exit(2);
}
// Without the cache, compiling the same code again would be half of a start.
module.enableCompileCache(fileURLToPath(new URL('../.build/compiled', import.meta.url)));
// Node 24.0, which Macs with an Apple chip get, warns of features that are stable in later versions.
const [print] = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => warning.name === 'ExperimentalWarning' || print?.(warning));
process.argv.splice(2, process.argv.length, ...args);
await import(file.href);
