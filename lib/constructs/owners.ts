/** Where the owners of businesses sign in, if no other OpenID Connect issuer is given (docs/rules.md#owners). */
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

/** Where the console takes the code that signed its owner in. */
export const signedInPath = '/signed-in';

/** Where owners sign in. */
export interface SignIn {
  /** What `iss` and `aud` of an owner's ID token must say. */
  readonly issuer: string;
  readonly audience: string;
  /** Where people are invited; missing where a foreign issuer signs them in. */
  readonly pool?: IUserPool;
  /** Where a page asks for what the issuer says of itself, and for tokens. */
  readonly origins: readonly string[];
}

interface OwnersProps {
  readonly stage: Stage;
  /** Where the console is: `https://console.example.com`. Owners come back there when they signed in and out. */
  readonly consoleOrigins: readonly string[] | undefined;
  /** Id of a pool that exists already: it gets a client, an address and pages here, and keeps its owners. */
  readonly ownerPool: string | undefined;
  /** What is used instead, if anything is. */
  readonly ownerIssuer: SignIn | undefined;
}

/** Where `npm start` serves, and what a user pool takes without https. */
const localConsole = 'http://localhost:8787';
/** A client must name a console, and this name leads nowhere: nobody comes back until the operator names one. */
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
      // A browser keeps no secret: what it sends with the code proves that it is the one that asked for it (PKCE).
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
      // A refresh token is used once. The grace lets a lost answer be asked for again.
      refreshTokenRotationGracePeriod: Duration.seconds(10),
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true, fullname: true })
        .withCustomAttributes('businessId', 'team'),
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true, fullname: true }),
    });
    const domain = pool.addDomain('Domain', {
      // Unique among all accounts of a region.
      cognitoDomain: { domainPrefix: `${stage.prefix}-owners-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Without a branding the pages of this version answer nothing.
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
      // The edge of a stage that lives imports these until its own turn comes, and an export that is used cannot go.
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
      // Owners are made by the operator, together with their business: nobody signs up into the tenant of another.
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // The address is the sign-in: a token alone must not carry it to that of another owner.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      standardAttributes: { email: { required: true, mutable: true }, fullname: { required: false, mutable: true } },
      // The tenant, and whether the person is a colleague with a role there. They are set once, with the person, and no
      // token can change them.
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
