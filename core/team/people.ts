/** The users in the stack's own user pool. */
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  type AttributeType,
} from '@aws-sdk/client-cognito-identity-provider';
import { cognito } from '../clients.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import { log } from '../log.ts';

/** The id of the stack's own user pool. 409 `invalid_state` if owners sign in elsewhere. */
export function ownUserPool(): string {
  const id = env.userPool();
  if (id !== undefined) return id;
  throw fail('invalid_state', 'Owners sign in with another service: invite colleagues there.');
}

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;
const attribute = (attributes: readonly AttributeType[] | undefined, name: string) =>
  attributes?.find(({ Name }) => Name === name)?.Value;

/**
 * Sends an invitation, and returns the `sub` of the user's tokens. Both claims are set when the user is created and
 * never changed, so a user without a role afterwards has no rights. Takes over a user of an earlier invitation that was
 * not stored, and sends the invitation again, because its password may have expired. Returns undefined if the address
 * belongs to another user.
 */
export async function createPerson(businessId: number, email: string): Promise<string | undefined> {
  const claims = { 'custom:businessId': String(businessId), 'custom:team': '1' };
  const attributes = { email, email_verified: 'true', ...claims };
  const existing = { UserPoolId: ownUserPool(), Username: email };
  const invitation = { ...existing, DesiredDeliveryMediums: ['EMAIL' as const] };
  try {
    const { User } = await cognito().send(
      new AdminCreateUserCommand({
        ...invitation,
        UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
      }),
    );
    return attribute(User?.Attributes, 'sub');
  } catch (error) {
    if (!isNamed(error, 'UsernameExistsException')) throw error;
  }
  try {
    const { UserAttributes, UserStatus } = await cognito().send(new AdminGetUserCommand(existing));
    const isOwn = Object.entries(claims).every(([name, value]) => attribute(UserAttributes, name) === value);
    if (!isOwn) return undefined;
    // Cognito refuses to invite a user who has chosen a password, and can sign in.
    if (UserStatus === 'FORCE_CHANGE_PASSWORD')
      await cognito().send(new AdminCreateUserCommand({ ...invitation, MessageAction: 'RESEND' }));
    return attribute(UserAttributes, 'sub');
  } catch (error) {
    if (!isNamed(error, 'UserNotFoundException')) throw error;
    // The user of a removed colleague has been deleted in between.
    return createPerson(businessId, email);
  }
}

/**
 * Deletes the user of a removed colleague, who has already lost the role. If the deletion fails, the user has no
 * rights.
 */
export async function deletePerson(subject: string): Promise<void> {
  try {
    await cognito().send(new AdminDeleteUserCommand({ UserPoolId: ownUserPool(), Username: subject }));
  } catch (error) {
    if (!isNamed(error, 'UserNotFoundException'))
      log.warn('A removed colleague could not be deleted from the user pool', { error });
  }
}
