/** Several commands behind one npm script: `npm run prove -- fuzz --requests 100`. */
import { runCommand, UsageError } from './command-line.ts';

/**
 * Runs the command that the first argument names, the file of that name in the group's folder, with the remaining
 * arguments. Without an argument, prints each command with its description.
 */
export async function runGroup(group: string, commands: Readonly<Record<string, string>>): Promise<void> {
  const [name, ...args] = process.argv.slice(2);
  if (name !== undefined && Object.hasOwn(commands, name)) {
    process.argv.splice(2, process.argv.length, ...args);
    await import(new URL(`./${group}/${name}.ts`, import.meta.url).href);
    return;
  }
  await runCommand(async () => {
    const width = Math.max(...Object.keys(commands).map((command) => command.length));
    const lines = Object.entries(commands).map(([command, line]) => `  ${command.padEnd(width)}  ${line}`);
    if (name !== undefined && name !== '--help' && name !== '-h') {
      throw new UsageError(`There is no command ${name}: it is one of ${Object.keys(commands).join(', ')}.`);
    }
    console.log(`npm run ${group} -- COMMAND [flags], with --help for its flags:\n\n${lines.join('\n')}`);
  });
}
