/** Addresses and hosts that no webhook may reach, generated from tables, and public ones that it may. */

/** The first and last address of every IPv4 block that is not public, and typical targets of attacks. */
const innerIpv4 = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  ...['10.0.0.0', '10.0.0.1', '10.255.255.255'],
  ...['100.64.0.0', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.0.1.1', '127.127.127.127', '127.255.255.255'],
  ...['168.63.129.16'],
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.78.1', '169.254.255.255'],
  ...['172.16.0.0', '172.17.0.1', '172.31.255.255'],
  ...['192.0.0.0', '192.0.0.8', '192.0.0.170', '192.0.0.192', '192.0.0.255'],
  ...['192.0.2.0', '192.0.2.255'],
  ...['192.31.196.0', '192.31.196.255', '192.52.193.0', '192.52.193.255'],
  ...['192.88.99.0', '192.88.99.1', '192.88.99.255'],
  ...['192.168.0.0', '192.168.0.1', '192.168.1.1', '192.168.255.255'],
  ...['192.175.48.0', '192.175.48.1', '192.175.48.255'],
  ...['198.18.0.0', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  ...['224.0.0.0', '224.0.0.1', '239.255.255.250', '239.255.255.255'],
  ...['240.0.0.0', '240.0.0.1', '255.255.255.254', '255.255.255.255'],
];

/** Private addresses to embed, and one public address, because no translated form is allowed. */
const embedded = [
  ...['127.0.0.1', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '198.18.0.1'],
  ...['93.184.216.34'],
];

const hex = (ipv4: string) => {
  const bytes = ipv4.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return `${bytes[0]}${bytes[1]}:${bytes[2]}${bytes[3]}`;
};

/** Every registered method of embedding an IPv4 address in an IPv6 address. */
const carriers: Record<string, (ipv4: string) => string> = {
  mapped: (ipv4) => `::ffff:${ipv4}`,
  'mapped, in hex': (ipv4) => `::ffff:${hex(ipv4)}`,
  'mapped, written out': (ipv4) => `0:0:0:0:0:ffff:${hex(ipv4)}`,
  compatible: (ipv4) => `::${ipv4}`,
  'compatible, in hex': (ipv4) => `0:0:0:0:0:0:${hex(ipv4)}`,
  'translated (RFC 2765)': (ipv4) => `::ffff:0:${hex(ipv4)}`,
  'NAT64 (RFC 6052)': (ipv4) => `64:ff9b::${hex(ipv4)}`,
  'local NAT64 (RFC 8215)': (ipv4) => `64:ff9b:1::${hex(ipv4)}`,
  'local NAT64, another prefix': (ipv4) => `64:ff9b:1:ffff:ffff:ffff:${hex(ipv4)}`,
  '6to4': (ipv4) => `2002:${hex(ipv4)}::`,
  '6to4 with a host': (ipv4) => `2002:${hex(ipv4)}:1:2:3:4:5`,
  'Teredo server': (ipv4) => `2001:0:${hex(ipv4)}::1`,
  'Teredo client': (ipv4) => `2001::${hex(ipv4)}`,
  'ISATAP, link-local': (ipv4) => `fe80::5efe:${hex(ipv4)}`,
  'ISATAP, global prefix': (ipv4) => `2607:f8b0:1:2:0:5efe:${hex(ipv4)}`,
  'ISATAP, global prefix, universal bit': (ipv4) => `2607:f8b0:1:2:200:5efe:${hex(ipv4)}`,
};

const carriedIpv4 = Object.values(carriers).flatMap((carry) => embedded.map(carry));

/** The first and last address of every IPv6 block that is not public unicast. */
const innerIpv6 = [
  ...['::', '::1', '::2', '::ffff', '0:0:0:0:0:0:0:1'],
  ...['64:ff9b::', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ...['100::', '100::1', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
  ...['200::1', '400::1', '1000::1', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2001::', '2001::1', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2001:1::1', '2001:1::2', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', '2001:3::', '2001:3:ffff::1'],
  ...['2001:4:112::', '2001:4:112:ffff::1', '2001:10::', '2001:1f:ffff::1', '2001:20::', '2001:2f:ffff::1'],
  ...['2001:30::', '2001:3f:ffff::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2001:db8::', '2001:db8::1', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2002::', '2002::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2620:4f:8000::', '2620:4f:8000::1', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ...['3ffe::', '3ffe::1', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['3fff::', '3fff::1', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['4000::', '4000::1', '5f00::', '5f00::1', '6000::1', '8000::1', 'a000::1', 'c000::1', 'e000::1', 'f000::1'],
  ...['fc00::', 'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd00:ec2::253', 'fd20:ce::254', 'fdff:ffff::1'],
  ...['fe00::1', 'fe80::', 'fe80::1', 'fe80::a9fe:a9fe', 'febf:ffff::1', 'fec0::', 'fec0::1', 'feff::1'],
  ...['ff00::', 'ff01::1', 'ff02::1', 'ff02::fb', 'ff05::1:3', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

/** Values that are not addresses in their plain spelling, which a resolver should never return. */
const noAddresses = [
  ...['', ' ', 'localhost', 'example.com', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '010.0.0.1', '1.2.3'],
  ...['0135.184.216.34', '0x5d.184.216.34'],
  ...['1.2.3.4.5', '256.1.1.1', '93.184.216.34 ', '93.184.216.34:80', '[::1]', '2606:4700::1111%eth0', 'fe80::1%lo'],
];

export const forbiddenAddresses = [...new Set([...innerIpv4, ...carriedIpv4, ...innerIpv6, ...noAddresses])];

/** Hosts of URLs: this machine, the metadata service and private networks in every spelling that some parser reads. */
export const forbiddenHosts = [
  ...innerIpv4,
  ...[...carriedIpv4, ...innerIpv6].map((address) => `[${address}]`),
  // These are public, but addresses: certificates, and so the rule, need names.
  ...['93.184.216.34', '8.8.8.8', '1.1.1.1', '[2606:4700:4700::1111]', '[2001:4860:4860::8888]'],
  // These are one number, octal, hexadecimal, short and mixed forms.
  ...['2130706433', '017700000001', '0x7f000001', '0x7f.1', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.0.0.01', '127.1'],
  ...['127.0.1', '0x7F000001', '0X7f.0.0.1', '00000177.0.0.1', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
  ...['0xa9.0xfe.0xa9.0xfe', '169.16689662', '169.254.43518', '0251.254.169.254', '3232235777', '167772161', '0', '1'],
  ...['0x0', '00', '0.0', '0xffffffff', '4294967295', '4294967296', '256.256.256.256', '127.0.0.1.', '127.0.0.1..'],
  ...['2130706433.', '0x7f.1.', '1.2.3.4.5', '1e3', '0x', '127.0.0.1%00', '127.0.0.1%0a', '127.0.0.1%09.example.com'],
  // These have percent-encoded, full-width, circled and other digits, dots of other scripts, soft hyphens and joiners.
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%6c%6f%63%61%6c%68%6f%73%74', '１２７.０.０.１', '①②⑦.⓪.⓪.①'],
  ...['127。0。0。1', '127．0．0．1', '127｡0｡0｡1', 'ｌｏｃａｌｈｏｓｔ', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
  ...['local\u00adhost', 'local\u200bhost', 'local\u200dhost'],
  // These have brackets, zones and broken addresses.
  ...['[::1%25lo]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1]a', '[::1', '::1', '[127.0.0.1]', '[::ffff:127.0.0.1'],
  ...['[]'],
  // These are names of this machine and of private networks.
  ...['localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'localhost..', 'foo.localhost', 'a.b.localhost'],
  ...['foo.localhost.'],
  ...['localhost.localdomain', 'localhost6.localdomain6', 'ip6-localhost', 'ip6-loopback', 'loopback', 'broadcasthost'],
  ...['printer.local', 'kubernetes.default.svc.cluster.local', 'kubernetes.default.svc', 'kubernetes'],
  ...['host.docker.internal', 'metadata.google.internal', 'metadata', 'instance-data', 'instance-data.ec2.internal'],
  ...['ip-10-0-0-1.ec2.internal', 'ip-10-0-0-1.eu-central-1.compute.internal', 'db.internal', 'db.intranet'],
  ...['db.private', 'db.corp', 'nas.home', 'nas.lan', 'router.home.arpa', '1.0.0.127.in-addr.arpa', 'hidden.onion'],
  ...['x.alt', 'x.test', 'x.example', 'x.invalid', 'exchange.mail', 'intranet', 'router', 'com', 'a', 'example.com.'],
  ...['example.com..', '.example.com', 'example..com', '-a.example.com', 'a-.example.com'],
  ...[`${'a'.repeat(64)}.example.com`, `${'abcdefgh.'.repeat(30)}com`, 'exa mple.com', 'exa\tmple.com'],
  ...['example.com\\@127.0.0.1', 'example.com\\.evil.com', 'ex*ample.com', 'example.123', 'example.0x7f'],
  ...['!.example.com', 'user@example.com', 'user:password@example.com', ':@example.com:443x', 'example.com@127.0.0.1'],
  ...['example.com:@127.0.0.1'],
];

/** Public hosts. The last ones are next to forbidden blocks. */
export const publicAddresses = [
  ...['93.184.216.34', '8.8.8.8', '1.1.1.1', '52.94.236.248', '151.101.1.69', '185.199.108.153', '203.0.112.255'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:80b::200e', '2600:9000::1', '2c0f:fb50::1'],
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.114.0', '223.255.255.255'],
  ...['2001:200::1', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2607:f8b0:1:2:0:5eff:7f00:1', '3ffd:ffff::1'],
  '2607:f8b0:1:2:1:5efe:5db8:d822',
];

export const publicHosts = [
  ...['example.com', 'www.example.com', 'a.b.c.d.example.co.uk', 'EXAMPLE.com', 'xn--bcher-kva.example.org'],
  ...['bücher.de', '例え.jp', 'xn--p1ai.xn--p1ai', 'hooks-1.example.io', '1.example.com', '127.0.0.1.example.com'],
  ...['localhost.example.com', 'local.dev', 'my_app.example.com', `${'a'.repeat(63)}.example.com`],
  ...['internal.example.com', '10.com', 'example.host'],
];
