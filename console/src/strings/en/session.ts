export const session = {
  title: 'Sign in',
  intro: 'Manage bookings, API keys and webhooks of your business.',
  signIn: 'Sign in',
  signInAgain: 'Sign in again',
  signOut: 'Sign out',
  ended: 'Your session has ended',
  endedHint: 'Sign in again to continue. You return to this page.',
  unreachable: 'The sign-in service is not responding',
  unreachableHint: 'Check your connection and try again.',
  cannotStart: 'The console could not start',
};
