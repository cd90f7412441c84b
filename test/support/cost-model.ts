/** Calculates the cost of a million requests or deliveries from counted calls and the prices in `docs/cost.md`. */

/** The usage of `of` requests or deliveries. */
export interface Usage {
  readonly name: string;
  readonly of: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly httpRequests?: number;
  readonly busEvents?: number;
  readonly queueRequests?: number;
  readonly fairRequests?: number;
  readonly invocations: number;
  readonly gigabyteSeconds: number;
}

const rows = {
  'DynamoDB write unit': 'writeUnit',
  'DynamoDB read unit': 'readUnit',
  'API Gateway HTTP API request': 'httpRequest',
  'EventBridge custom event': 'busEvent',
  'SQS request, standard queue': 'queueRequest',
  'SQS request with a message group (fair queue)': 'fairRequest',
  'Lambda invocation': 'invocation',
  'Lambda GB-second, arm64': 'gigabyteSecond',
} as const;

/** Prices in US dollars per million. */
type Prices = Readonly<Record<(typeof rows)[keyof typeof rows], number>>;

/** Reads the table of prices in the document. Throws when a row is missing. */
export function pricesIn(document: string): Prices {
  const found = Object.entries(rows).map(([label, name]) => {
    const cell = document
      .split('\n')
      .find((line) => line.startsWith(`| ${label} `))
      ?.split('|')[2];
    const price = Number(cell?.trim().replace('$', ''));
    if (!(price > 0)) throw new Error(`docs/cost.md has no price of: ${label}`);
    return [name, price];
  });
  return Object.fromEntries(found) as Prices;
}

/** The cost of a million requests or deliveries like these. */
export function costOf(usage: Usage, prices: Prices) {
  const each = (amount: number | undefined, price: number) => ((amount ?? 0) / usage.of) * price;
  const parts = {
    writes: each(usage.writeUnits, prices.writeUnit),
    reads: each(usage.readUnits, prices.readUnit),
    gatewayOrBus: each(usage.httpRequests, prices.httpRequest) + each(usage.busEvents, prices.busEvent),
    queues: each(usage.queueRequests, prices.queueRequest) + each(usage.fairRequests, prices.fairRequest),
    lambda: each(usage.invocations, prices.invocation) + each(usage.gigabyteSeconds, prices.gigabyteSecond),
  };
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

export function costTable(usages: readonly Usage[], prices: Prices): string {
  const dollars = (value: number) => `$${value.toFixed(2)}`;
  return [
    '| | Write units | Read units | Writes | Reads | Gateway or bus | Queues | Lambda | A million |',
    '|---|---|---|---|---|---|---|---|---|',
    ...usages.map((usage) => {
      const { writes, reads, gatewayOrBus, queues, lambda, total } = costOf(usage, prices);
      const units = [usage.writeUnits, usage.readUnits].map((amount) => (amount / usage.of).toFixed(2));
      const parts = [writes, reads, gatewayOrBus, queues, lambda].map(dollars);
      return `| ${[usage.name, ...units, ...parts, `**${dollars(total)}**`].join(' | ')} |`;
    }),
  ].join('\n');
}
