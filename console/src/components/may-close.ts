/** A dialog stays open until the response to its request: the response may be an error, or a secret that is shown once. */
import { strings } from '../strings/strings.ts';
import { notifyOnce } from './notify.tsx';

/** Returns whether a dialog with this request may close; if not, shows a message to wait. */
export function mayClose(isSending: () => boolean): boolean {
  if (isSending()) notifyOnce(strings.app.sending);
  return !isSending();
}
