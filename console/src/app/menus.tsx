/** The menus of the header. */
import { AccountMenu } from './account-menu.tsx';
import { ColorScheme } from './color-scheme.tsx';

export function Menus() {
  return (
    <>
      <ColorScheme />
      <AccountMenu />
    </>
  );
}
