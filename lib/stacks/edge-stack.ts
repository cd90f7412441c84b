/**
 * The pages for browsers: the console, the reference and the documents, from a private bucket, and both APIs on the same
 * origin, so that these pages need no CORS.
 */
import { readFileSync } from 'node:fs';
import { Aws, CfnOutput, type CfnResource, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  PriceClass,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, type HttpOriginProps, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { edgeSecretHeader } from '../../contract/headers.ts';
import { accountPrefix, integrationPrefix } from '../../contract/prefixes.ts';
import { publishedPaths } from '../../site/pages.ts';
import { acknowledge } from '../acknowledgements.ts';
import { type SignIn, signedInPath } from '../constructs/owners.ts';
import { type HeadersName, PageHeaders } from '../constructs/page-headers.ts';
import { StageLog } from '../constructs/stage-log.ts';
import type { Settings } from '../context.ts';
import type { Stage } from '../stage.ts';

interface EdgeStackProps extends StackProps {
  readonly stage: Stage;
  /** The folder of the built pages, which are at `/`, with `docs/` in it. */
  readonly pages: string;
  readonly signIn: SignIn;
  /** The hosts of the two APIs. */
  readonly hosts: Readonly<Record<'integration' | 'account', string>>;
  /** The domain of the console. Without it the distribution has its default name. */
  readonly domain: Settings['consoleDomain'];
  /**
   * A host belongs to only one distribution. A passive deployment prepares for the host, and gets it when the operator
   * moves it.
   */
  readonly isPassive: boolean;
  /** Whether notices are also sent by email. */
  readonly sendsMail: boolean;
  /** The distribution in front of the integration API, if there is one. */
  readonly apiFront: ApiFront | undefined;
  /** The web ACL in the region us-east-1, of scope CLOUDFRONT. */
  readonly webAclArn: string | undefined;
}

interface ApiFront {
  /** The host of the API that integrators call. */
  readonly host: string;
  readonly certificateArn: string;
  /** The address of the gateway, which identifies its API by the host. */
  readonly target: string;
  readonly secret: ISecret;
}

/** The headers by path pattern; the console has all other paths. The first match counts. */
const filePaths: readonly (readonly [pattern: string, headers: HeadersName])[] = [
  ['/assets/*', 'assets'],
  ['/docs/assets/*', 'assets'],
  ['/openapi*.json', 'documents'],
  ['/element/*', 'documents'],
  ['/docs*', 'reference'],
  ['/book/*', 'reference'],
  ['/manage/*', 'reference'],
];

/**
 * Guides and examples that a browser shows as text. S3's default type for most of them is binary, which a browser
 * downloads, and none is UTF-8.
 */
const textFiles = ['*.go', '*.md', '*.php', '*.py', '*.rb', '*.ts', '*.txt'];

/**
 * By default, CloudFront caches these errors for ten seconds regardless of the cache policy, and 5xx regardless of the
 * response's headers. The cache key is the path alone, so one owner's 503 would reach everybody. No error page replaces
 * them: the console would read it as a response of the API.
 */
const keptErrors = [404, 414, 500, 501, 502, 503, 504];

/** The CDK's custom resource that empties the bucket before deletion. */
const emptierOfTheCdk = 'Custom::S3AutoDeleteObjectsCustomResourceProvider';

/** Passes requests on to the API at this host unchanged, and caches no response. */
const passOn = (host: string, props?: HttpOriginProps): BehaviorOptions => ({
  origin: new HttpOrigin(host, props),
  allowedMethods: AllowedMethods.ALLOW_ALL,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  compress: true,
});

export class EdgeStack extends Stack {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    const { stage, pages, signIn, hosts, domain, isPassive, sendsMail, apiFront, webAclArn, ...stackProps } = props;
    super(scope, id, stackProps);
    const bucket = new Bucket(this, 'Pages', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // The next deployment restores all of it, and only an empty bucket can be deleted.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    acknowledge(bucket, 'pagesAreLoggedNowhere');

    const integrationOrigin = `https://${hosts.integration}`;
    // Names at the edge are shared by all regions of the account.
    const named = (name: string) => `${stage.prefix}-${name}-${Aws.REGION}`;
    const { policies } = new PageHeaders(this, 'Headers', {
      named,
      calls: { console: signIn.origins, reference: [integrationOrigin] },
    });
    const paths = new EdgeFunction(this, 'Paths', {
      functionName: named('page-paths'),
      comment: 'Which file a path of the console or the reference is',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(pagePaths()),
    });

    // With permission to list, S3 reports a missing file as missing; without it, as access denied.
    const files = S3BucketOrigin.withOriginAccessControl(bucket as IBucket, {
      originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: named('pages') }),
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    });
    const serve = (headers: HeadersName): BehaviorOptions => ({
      ...fromFiles(files),
      responseHeadersPolicy: policies[headers],
      ...(headers !== 'assets' && {
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: paths }],
      }),
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Booking ${stage.name}: console and reference`,
      defaultBehavior: serve('console'),
      additionalBehaviors: {
        // The pages call both APIs on their own host: no other page may read the responses to a key without origins.
        [`${accountPrefix}/*`]: passOn(hosts.account),
        [`${integrationPrefix}/*`]: passOn(hosts.integration),
        ...Object.fromEntries(filePaths.map(([pattern, headers]) => [pattern, serve(headers)])),
      },
      defaultRootObject: 'index.html',
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(domain && {
        domainNames: isPassive ? [] : [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
    });
    acknowledge(this.distribution, 'pagesAreLoggedNowhere');
    acknowledge(this.distribution, 'operatorsChoice');
    acknowledge(this.distribution, 'nothingIsListed');
    if (!domain) acknowledge(this.distribution, 'certificateOfCloudFront');

    if (domain && isPassive) acknowledge(this.distribution, 'hostIsMovedHere');
    if (apiFront) this.#front(stage, apiFront, webAclArn, isPassive);
    this.#publish(bucket, pages, stage, {
      integrationUrl: `${integrationOrigin}${integrationPrefix}`,
      accountUrl: accountPrefix,
      signIn: { issuer: signIn.issuer, clientId: signIn.audience },
      sendsMail,
    });
    new CfnOutput(this, 'DistributionId', { value: this.distribution.distributionId });
    new CfnOutput(this, 'ConsoleUrl', { value: `https://${domain?.name ?? this.distribution.domainName}/` });
    if (domain) {
      new CfnOutput(this, 'DomainTarget', {
        description: `Where the name ${domain.name} must point: a CNAME, or an alias of Route 53`,
        value: this.distribution.domainName,
      });
    }
  }

  /** A separate distribution: its certificate is for the API's host, and all its paths are those of integrators. */
  #front(
    stage: Stage,
    { host, certificateArn, target, secret }: ApiFront,
    webAclArn: string | undefined,
    isPassive: boolean,
  ): void {
    const distribution = new Distribution(this, 'Api', {
      comment: `Booking ${stage.name}: integration API`,
      defaultBehavior: {
        ...passOn(target, { customHeaders: { [edgeSecretHeader]: secret.secretValue.unsafeUnwrap() } }),
        // The policy forwards the host, by which the gateway identifies the API.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER,
      },
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      // Integrators are in all parts of the world.
      priceClass: PriceClass.PRICE_CLASS_ALL,
      domainNames: isPassive ? [] : [host],
      certificate: Certificate.fromCertificateArn(this, 'ApiCertificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
    });
    acknowledge(distribution, 'requestsAreLoggedBehind');
    acknowledge(distribution, 'operatorsChoice');
    if (isPassive) acknowledge(distribution, 'hostIsMovedHere');
    new CfnOutput(this, 'ApiDistributionId', { value: distribution.distributionId });
    new CfnOutput(this, 'ApiDomainTarget', {
      description: `Where the name ${host} must point: a CNAME, or an alias of Route 53`,
      value: distribution.domainName,
    });
  }

  #publish(bucket: Bucket, pages: string, stage: Stage, config: object): void {
    const logGroup = new StageLog(this, 'PublishLogs', { stage });
    const shared = {
      destinationBucket: bucket as IBucket,
      // An open console still requests the scripts of its own version.
      prune: false,
      memoryLimit: 512,
      logGroup,
    };
    const assets = filePaths.filter(([, headers]) => headers === 'assets').map(([pattern]) => pattern.slice(1));
    const publishedAssets = new BucketDeployment(this, 'PublishAssets', {
      ...shared,
      sources: [Source.asset(pages)],
      exclude: ['*'],
      include: assets,
      // The file names contain a hash of the content.
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const publishedTexts = new BucketDeployment(this, 'PublishTexts', {
      ...shared,
      sources: [Source.asset(pages)],
      exclude: ['*'],
      include: textFiles,
      contentType: 'text/plain; charset=utf-8',
    });
    const publishedPages = new BucketDeployment(this, 'Publish', {
      ...shared,
      sources: [Source.asset(pages), Source.jsonData('config.json', config)],
      exclude: [...assets, ...textFiles],
      distribution: this.distribution,
      distributionPaths: ['/*'],
      // The wait is known to time out, which would roll back a good deployment. The caches are emptied in any case.
      waitForDistributionInvalidation: false,
    });
    // Scripts are published before the pages that request them.
    publishedPages.node.addDependency(publishedAssets, publishedTexts);
    const publisher = this.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
    if (publisher) acknowledge(publisher, 'publisherOfTheCdk');
    // Without this the function that empties the bucket would create its own log, which outlives the stack.
    const emptier = this.node.tryFindChild(emptierOfTheCdk)?.node.findChild('Handler') as CfnResource | undefined;
    emptier?.addPropertyOverride('LoggingConfig', { LogGroup: logGroup.logGroupName });
  }
}

/** Inserts the published files into the function, which can make no requests. */
function pagePaths(): string {
  const code = readFileSync(new URL('../constructs/page-paths.js', import.meta.url), 'utf8');
  const router = readFileSync(new URL('../../console/src/app/router.tsx', import.meta.url), 'utf8');
  // The screens of test mode are below the path `/test`.
  const screens = ['/test', ...[...router.matchAll(/\b(?:at|screen)\('(\/[a-z-]*)/g)].map(([, path]) => path)];
  return code
    .replace('PUBLISHED', JSON.stringify(publishedPaths))
    .replace('SCREENS', JSON.stringify([...new Set([...screens, signedInPath])]));
}

/** The edge caches files, because each deployment empties its caches. */
function fromFiles(origin: IOrigin): BehaviorOptions {
  return {
    origin,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    compress: true,
  };
}
