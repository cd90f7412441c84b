/** What a line of the log says at this moment, besides its words. */
import { vi } from 'vitest';
import { log } from '../../core/log.ts';

export function saidOf(words: string): Record<string, unknown> {
  const lines: string[] = [];
  const spies = [
    vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(String(line))),
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0),
  ];
  log.warn(words);
  for (const spy of spies) spy.mockRestore();
  return JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
}
