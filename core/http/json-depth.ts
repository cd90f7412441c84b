/**
 * Whether JSON text nests deeper than `max`, found without recursion: `[` ten thousand times parses, and then
 * overflows the stack of whatever walks the result.
 */
export function nestsDeeperThan(max: number, json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (++depth > max) return true;
    } else if (character === '}' || character === ']') depth--;
  }
  return false;
}
