export const session = {
  title: 'Sign in',
  about: 'See your bookings, hand out API keys, and watch your webhooks at work.',
  signIn: 'Sign in',
  signInAgain: 'Sign in again',
  signOut: 'Sign out',
  ended: 'Your session has ended',
  endedHint: 'Sign in again to go on. You come back to this very screen.',
  unreachable: 'The sign-in service does not answer',
  unreachableHint: 'Check your connection, and try again.',
  cannotStart: 'The console cannot start',
};
