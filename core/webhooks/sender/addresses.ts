/**
 * The addresses to which messages may be sent (docs/rules.md#targets).
 *
 * An address is allowed only if the IANA registries list it as global unicast, and an IPv6 address only within
 * 2000::/3. So mapped, compatible, NAT64 and translated addresses, unique-local and link-local ones, and those
 * registered later are refused without being listed. Addresses within the allowed ranges that lead to internal networks
 * are listed.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses that the registries list as public, but that lead to internal networks. */
const publicButInside: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // The platform address of Azure: DNS, health probes and guest agent of every virtual machine.
  ipaddr.IPv4.parseCIDR('168.63.129.16/32'),
  // The former 6bone (RFC 3701), which is not routed, but is used in laboratories.
  ipaddr.IPv6.parseCIDR('3ffe::/16'),
];

/** ISATAP (RFC 5214): an interface identifier that contains an IPv4 address, with any prefix. */
const isatapMarks: readonly (readonly [number, number])[] = [
  [0x0000, 0x5efe],
  [0x0200, 0x5efe],
];

/** Whether messages may be sent to this address. A text that is not an address in its usual spelling is refused. */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  if (publicButInside.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))) return false;
  return address instanceof ipaddr.IPv4 || (address.match(globalUnicastV6) && !isIsatap(address));
}

/** Whether two spellings are the same address. */
export function isSameAddress(a: string, b: string): boolean {
  const [first, second] = [parse(a), parse(b)];
  return first !== undefined && second !== undefined && first.toNormalizedString() === second.toNormalizedString();
}

/**
 * `isIP` is called first, because it accepts only one spelling; `ipaddr.js` also accepts octal, hexadecimal and
 * shortened ones.
 */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return ipaddr.parse(text);
}

function isIsatap(address: ipaddr.IPv6): boolean {
  return isatapMarks.some(([high, low]) => address.parts[4] === high && address.parts[5] === low);
}
