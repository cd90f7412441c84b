/**
 * Which addresses a webhook may be sent to (docs/rules.md#targets: "a host whose every address is public").
 *
 * The rule allows instead of forbidding: an address passes when the IANA registries call it global unicast, and an
 * IPv6 address only inside 2000::/3. So mapped, compatible, NAT64 and translated forms, unique-local, link-local and
 * whatever is registered later fall outside without being named. What lies inside and still leads elsewhere is listed.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses that the registries call public, and that only an inner network answers from. */
const publicButInside: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // Azure's platform address: DNS, health probes and guest agent of every virtual machine.
  ipaddr.IPv4.parseCIDR('168.63.129.16/32'),
  // The former 6bone (RFC 3701), which is routed nowhere, and used in laboratories.
  ipaddr.IPv6.parseCIDR('3ffe::/16'),
];

/** ISATAP (RFC 5214): an interface identifier that carries an IPv4 address, inside any prefix. */
const isatapMarks: readonly (readonly [number, number])[] = [
  [0x0000, 0x5efe],
  [0x0200, 0x5efe],
];

/** Whether a stranger's host may lead there. Text that is not an address in its plain spelling does not pass. */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  if (publicButInside.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))) return false;
  return address instanceof ipaddr.IPv4 || (address.match(globalUnicastV6) && !isIsatap(address));
}

/** Whether two spellings name one address. */
export function isSameAddress(a: string, b: string): boolean {
  const [first, second] = [parse(a), parse(b)];
  return first !== undefined && second !== undefined && first.toNormalizedString() === second.toNormalizedString();
}

/** `isIP` first: it knows one spelling where `ipaddr.js` also reads octal, hexadecimal and shortened ones. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return ipaddr.parse(text);
}

function isIsatap(address: ipaddr.IPv6): boolean {
  return isatapMarks.some(([high, low]) => address.parts[4] === high && address.parts[5] === low);
}
