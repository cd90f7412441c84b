/** The headers that pages and files are sent with: a response headers policy for each row. */
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
  /** Whose pages may read it. */
  readonly readers: 'this origin' | 'everybody';
}

const rows = {
  console: { comment: 'the console', readers: 'this origin' },
  reference: { comment: 'the reference and its guides', readers: 'this origin' },
  assets: { comment: 'scripts and styles', readers: 'this origin' },
  // Tools in other people's pages read them, too.
  documents: { comment: 'the OpenAPI documents', readers: 'everybody' },
} as const satisfies Record<string, HeadersRow>;

export type HeadersName = keyof typeof rows;

interface PageHeadersProps {
  /** The name of something that has one place in the account for all stages and regions. */
  readonly named: (name: string) => string;
  /** Origins beside their own that the scripts of the console call, and those of the reference. */
  readonly calls: Readonly<Partial<Record<HeadersName, readonly string[]>>>;
}

export class PageHeaders extends Construct {
  readonly policies: Readonly<Record<HeadersName, ResponseHeadersPolicy>>;

  constructor(scope: Construct, id: string, { named, calls }: PageHeadersProps) {
    super(scope, id);
    const policy = (name: HeadersName) =>
      new ResponseHeadersPolicy(this, pascalCase(name), {
        ...headers(rows[name], calls[name] ?? []),
        responseHeadersPolicyName: named(name),
      });
    this.policies = {
      console: policy('console'),
      reference: policy('reference'),
      assets: policy('assets'),
      documents: policy('documents'),
    };
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
        // A browser asks each time, unless the file itself says otherwise: what is missing must not stay missing.
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
 * Scripts are files of this origin. Styles may be in the page as well: Mantine puts its theme into an element, and
 * Scalar its own; what a style can do without foreign hosts to call is to change looks.
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
