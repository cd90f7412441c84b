/** Addresses for notices: whether emails are sent to them and, if not, why (docs/rules.md#notices). */
import { createHash } from 'node:crypto';
import type { AddressOff } from '../../contract/account/resources.ts';
import { timestamp } from '../clock.ts';
import { getItem, getRecords } from '../store/read.ts';
import { put, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

/** The form of an address in table keys and messages. Upper and lower case are the same mailbox. */
export function hashOfAddress(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('hex').slice(0, 40);
}

interface SuppressionItem {
  readonly reason: NonNullable<AddressOff>['reason'];
  /** Epoch milliseconds. */
  readonly at: number;
}

type Address = string | null | undefined;

const suppressionKey = (address: string) => records.addressOff(hashOfAddress(address));

function toSuppression(item: SuppressionItem | undefined): AddressOff {
  return item ? { reason: item.reason, at: timestamp(item.at) } : null;
}

/** The reason why nothing is sent to an address. One read; none without an address. */
export async function suppressionOf(address: Address): Promise<AddressOff> {
  return address ? toSuppression(await getItem<SuppressionItem>('records', suppressionKey(address))) : null;
}

/** The reasons for several addresses, in their order. */
export async function suppressionsOf(addresses: readonly Address[]): Promise<readonly AddressOff[]> {
  const present = addresses.flatMap((address) => address ?? []);
  if (present.length === 0) return addresses.map(() => null);
  const items = await getRecords<SuppressionItem>(present.map(suppressionKey));
  const byAddress = new Map(present.map((address, i) => [address, toSuppression(items[i])]));
  return addresses.map((address) => byAddress.get(address ?? '') ?? null);
}

/** An address that is set again gets emails again, even after a bounce or a complaint. */
export function unsuppress(address: Address): readonly Write[] {
  return address ? [remove('records', suppressionKey(address))] : [];
}

export function suppress(address: string, item: SuppressionItem) {
  return put('records', { ...suppressionKey(address), ...item });
}
