/** The group of a message, as SQS must be told it. */

/** Whose group a message belongs to: one business, whatever it names. */
export function groupOf(body: string): string {
  const { businessId, detail } = JSON.parse(body);
  const ids = new Set<number>(
    detail ? detail.events.map((one: { businessId: number }) => one.businessId) : [businessId],
  );
  return [...ids].join();
}
