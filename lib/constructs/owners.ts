/** The user pool of the owners of businesses, unless another OpenID Connect issuer is set (docs/rules.md#owners). */
import { Aws, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  ClientAttributes,
  FeaturePlan,
  type IUserPool,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  StandardThreatProtectionMode,
  StringAttribute,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import type { Stage } from '../stage.ts';

/** The path of the console that receives the authorization code. */
export const signedInPath = '/signed-in';

/** The issuer that owners sign in with. */
export interface SignIn {
  /** The required values of `iss` and `aud` in an owner's ID token. */
  readonly issuer: string;
  readonly audience: string;
  /** The pool in which people are invited; missing with a foreign issuer. */
  readonly pool?: IUserPool;
  /** The origins from which a page reads the issuer's metadata and tokens. */
  readonly origins: readonly string[];
}

interface OwnersProps {
  readonly stage: Stage;
  /** Origins of the console: `https://console.example.com`. Owners return there after they sign in or out. */
  readonly consoleOrigins: readonly string[] | undefined;
  /** The id of an existing pool: it gets a client, an address and pages here, and keeps its owners. */
  readonly ownerPool: string | undefined;
  /** The issuer that replaces the pool, if any. */
  readonly ownerIssuer: SignIn | undefined;
}

/** The origin of `npm start`, which a user pool accepts without https. */
const localConsole = 'http://localhost:8787';
/** A client must name a console. This name does not resolve: nobody can return until the operator configures one. */
const noConsole = 'https://console.invalid';

export class Owners extends Construct implements SignIn {
  readonly issuer: string;
  readonly audience: string;
  readonly origins: readonly string[];
  readonly pool: IUserPool;

  constructor(scope: Construct, id: string, { stage, ownerPool, ownerIssuer, ...props }: OwnersProps) {
    super(scope, id);
    const { consoleOrigins = [stage.hasLocalConsole ? localConsole : noConsole] } = props;
    const pool = ownerPool === undefined ? this.#pool(stage) : UserPool.fromUserPoolId(this, 'Pool', ownerPool);
    this.pool = pool as IUserPool;
    const client = pool.addClient('AccountClient', {
      userPoolClientName: `${stage.prefix}-account`,
      authFlows: { userSrp: true },
      // A browser has no client secret: PKCE proves that the same browser requested the code.
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: consoleOrigins.map((origin) => `${origin}${signedInPath}`),
        logoutUrls: consoleOrigins.map((origin) => `${origin}/`),
      },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      idTokenValidity: Duration.minutes(60),
      accessTokenValidity: Duration.minutes(60),
      refreshTokenValidity: Duration.days(30),
      // A refresh token is used once. The grace period allows a retry when the response was lost.
      refreshTokenRotationGracePeriod: Duration.seconds(10),
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true, fullname: true })
        .withCustomAttributes('businessId', 'team'),
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true, fullname: true }),
    });
    const domain = pool.addDomain('Domain', {
      // The prefix must be unique among all accounts of a region.
      cognitoDomain: { domainPrefix: `${stage.prefix}-owners-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Without a branding the pages of managed login return no content.
    new CfnManagedLoginBranding(this, 'Branding', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    const poolIssuer = `https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}/${ownerPool}`;
    this.issuer = pool instanceof UserPool ? pool.userPoolProviderUrl : poolIssuer;
    this.audience = client.userPoolClientId;
    this.origins = [`https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`, domain.baseUrl()];
    if (ownerIssuer) {
      // The deployed edge of a stage may import these until it is updated, and an export in use cannot be removed.
      for (const used of [this.issuer, this.audience, domain.domainName]) Stack.of(this).exportValue(used);
      return;
    }
    new CfnOutput(this, 'UserPoolId', { value: pool.userPoolId });
    new CfnOutput(this, 'ClientId', { value: this.audience });
    new CfnOutput(this, 'Issuer', { value: this.issuer });
    new CfnOutput(this, 'SignInUrl', { value: domain.baseUrl() });
  }

  #pool(stage: Stage): UserPool {
    const pool = new UserPool(this, 'Pool', {
      userPoolName: `${stage.prefix}-owners`,
      // The operator creates owners together with their business: nobody can sign up into another tenant.
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // The email address is the sign-in name: a stolen token alone must not change it to that of another owner.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      standardAttributes: { email: { required: true, mutable: true }, fullname: { required: false, mutable: true } },
      // The tenant, and the role of a colleague. They are set once, when the user is created, and no token can change
      // them.
      customAttributes: {
        businessId: new StringAttribute({ mutable: false, minLen: 1, maxLen: 16 }),
        team: new StringAttribute({ mutable: false, minLen: 1, maxLen: 1 }),
      },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      ...(stage.protectsSignIns
        ? { featurePlan: FeaturePlan.PLUS, standardThreatProtectionMode: StandardThreatProtectionMode.FULL_FUNCTION }
        : { featurePlan: FeaturePlan.ESSENTIALS }),
      deletionProtection: stage.keepsData,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    if (!stage.protectsSignIns) acknowledge(pool, 'nobodySignsInHere');
    return pool;
  }
}
