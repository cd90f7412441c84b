/** Converts a message to a curl command for a POSIX shell. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function curlOf(url: string, { headers, body }: Message): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${quoted(url)}`, ...lines, `--data-raw ${quoted(body)}`].join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
