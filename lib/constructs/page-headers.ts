/** The response headers of pages and files. Each row of the table becomes a response headers policy. */
import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseHeadersPolicyProps,
} from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { pascalCase } from '../names.ts';

interface HeadersRow {
  readonly comment: string;
  /** The pages whose scripts may read the file. */
  readonly readers: 'this origin' | 'everybody';
}

const rows = {
  console: { comment: 'the console', readers: 'this origin' },
  reference: { comment: 'the reference and its guides', readers: 'this origin' },
  assets: { comment: 'scripts and styles', readers: 'this origin' },
  // Tools in pages of other origins also read them.
  documents: { comment: 'the OpenAPI documents', readers: 'everybody' },
} as const satisfies Record<string, HeadersRow>;

export type HeadersName = keyof typeof rows;

interface PageHeadersProps {
  /** Names a resource that is global in the account, for all stages and regions. */
  readonly named: (name: string) => string;
  /** The foreign origins that scripts of the console, and of the reference, call. */
  readonly calls: Readonly<Partial<Record<HeadersName, readonly string[]>>>;
}

export class PageHeaders extends Construct {
  readonly policies: Readonly<Record<HeadersName, ResponseHeadersPolicy>>;

  constructor(scope: Construct, id: string, { named, calls }: PageHeadersProps) {
    super(scope, id);
    const policies = (Object.keys(rows) as HeadersName[]).map((name) => {
      const responseHeadersPolicyName = named(name);
      const props = { ...headers(rows[name], calls[name] ?? []), responseHeadersPolicyName };
      return [name, new ResponseHeadersPolicy(this, pascalCase(name), props)];
    });
    this.policies = Object.fromEntries(policies);
  }
}

function headers({ comment, readers }: HeadersRow, calls: readonly string[]): ResponseHeadersPolicyProps {
  const isOpen = readers === 'everybody';
  const custom = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': isOpen ? 'cross-origin' : 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
  return {
    comment: `Booking: ${comment}`,
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: contentPolicy(calls), override: true },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
    customHeadersBehavior: {
      customHeaders: [
        ...Object.entries(custom).map(([header, value]) => ({ header, value, override: true })),
        // A browser revalidates each time, unless the file itself sets another value: a 404 must not be cached.
        { header: 'Cache-Control', value: 'no-cache', override: false },
      ],
    },
    ...(isOpen && {
      corsBehavior: {
        accessControlAllowCredentials: false,
        accessControlAllowHeaders: ['*'],
        accessControlAllowMethods: ['GET', 'HEAD'],
        accessControlAllowOrigins: ['*'],
        originOverride: true,
      },
    }),
  };
}

/**
 * Scripts must be files of this origin. Styles may also be inline: Mantine writes its theme into an element, and so
 * does Scalar; without foreign hosts to call, a style can only change the appearance.
 */
function contentPolicy(calls: readonly string[]): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...calls],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}
