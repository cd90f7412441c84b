export const session = {
  title: 'Sign in',
  intro:
    'Online booking for salons, studios and practices: your calendar and clients here, and an API for your website and other systems.',
  links: 'More about the API',
  docs: 'Getting started',
  reference: 'API reference',
  signIn: 'Sign in',
  signInAgain: 'Sign in again',
  signOut: 'Sign out',
  ended: 'Your session has ended',
  endedHint: 'Sign in again to continue. You return to this page.',
  passed: 'You are signed in',
  passedHint: 'Close this tab and continue in the tab that you came from.',
  unreachable: 'The sign-in service is not responding',
  unreachableHint: 'Check your connection and try again.',
  halfSignedOut: 'You are signed out of the console only',
  halfSignedOutHint:
    'The sign-in service did not answer, so on this device it may still sign you in without asking. On a shared device, sign in and out again when you are online.',
  cannotStart: 'The console could not start',
};
