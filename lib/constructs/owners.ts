/** Where the owners of businesses sign in, if no other OpenID Connect issuer is given (docs/rules.md#owners). */
import { Aws, CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  StandardThreatProtectionMode,
  StringAttribute,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

/** Where the console takes the code that signed its owner in. */
const signedInPath = '/signed-in';

/** Where owners sign in. */
export interface SignIn {
  /** What `iss` and `aud` of an owner's ID token must say. */
  readonly issuer: string;
  readonly audience: string;
  /** Where a page asks for what the issuer says of itself, and for tokens. */
  readonly origins: readonly string[];
}

export interface OwnersProps {
  readonly stage: Stage;
  /** Where the console is: `https://console.example.com`. Owners come back there when they signed in and out. */
  readonly consoleOrigins: readonly string[];
}

export class Owners extends Construct implements SignIn {
  readonly issuer: string;
  readonly audience: string;
  readonly origins: readonly string[];

  constructor(scope: Construct, id: string, { stage, consoleOrigins }: OwnersProps) {
    super(scope, id);
    const pool = new UserPool(this, 'Pool', {
      userPoolName: `${stage.prefix}-owners`,
      // Owners are made by the operator, together with their business: nobody signs up into somebody's tenant.
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // The address is the sign-in: a token alone must not carry it to somebody else's.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      standardAttributes: { email: { required: true, mutable: true }, fullname: { required: false, mutable: true } },
      // Names the tenant. It is set once, by the operator, and no token of an owner can change it.
      customAttributes: { businessId: new StringAttribute({ mutable: false, minLen: 1, maxLen: 16 }) },
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
      featurePlan: FeaturePlan.PLUS,
      standardThreatProtectionMode: StandardThreatProtectionMode.FULL_FUNCTION,
      deletionProtection: stage.keepsData,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
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
        .withCustomAttributes('businessId'),
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
    this.issuer = pool.userPoolProviderUrl;
    this.audience = client.userPoolClientId;
    this.origins = [`https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`, domain.baseUrl()];
    new CfnOutput(this, 'UserPoolId', { value: pool.userPoolId });
    new CfnOutput(this, 'ClientId', { value: this.audience });
    new CfnOutput(this, 'Issuer', { value: this.issuer });
    new CfnOutput(this, 'SignInUrl', { value: domain.baseUrl() });
  }
}
