/** The sign-in page of the local issuer: it lists the people who may sign in, without a password. */
import { escaped, page } from './pages.ts';

const style =
  'max-width:26rem;margin:15vh auto;padding:0 1rem}' +
  'button{display:block;width:100%;text-align:left;font:inherit;padding:.75rem 1rem;margin:.5rem 0;cursor:pointer}small{opacity:.75}';

/** The data of a person that is shown. */
interface Shown {
  readonly name: string;
  readonly email: string;
}

/** Renders one form per person; each form repeats the parameters of the request. */
export function signInPage(action: string, people: readonly Shown[], parameters: URLSearchParams): string {
  const hidden = [...parameters]
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('');
  const buttons = people.map(
    ({ email, name }) =>
      `<button name="username" value="${escaped(email)}">${escaped(name)}<br><small>${escaped(email)}</small></button>`,
  );
  const choice =
    buttons.length > 0
      ? `<form method="post" action="${escaped(action)}">${hidden}${buttons.join('')}</form>`
      : '<p>No user has been invited yet.</p>';
  return page('Sign in', style, `<p>This machine asks for no password. Who are you?</p>${choice}`);
}

export function errorPage(message: string): string {
  return page('Sign-in is not possible', style, `<p>${escaped(message)}</p>`);
}
