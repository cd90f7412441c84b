/** Which languages of the published samples this machine can run. */
import { spawnSync } from 'node:child_process';

const commands = { sh: 'bash', ts: process.execPath, python: 'python3', php: 'php' } as const;

export type Language = keyof typeof commands;

/** PHP is not on every machine. Those that are here are run, and the others are known by their absence. */
export const installed = (Object.keys(commands) as Language[]).filter(
  (language) => spawnSync(commands[language], ['--version']).status === 0,
);

export const commandOf = (language: Language): string => commands[language];
