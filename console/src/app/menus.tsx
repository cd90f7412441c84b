import { AccountMenu } from './account-menu.tsx';
import { ColorScheme } from './color-scheme.tsx';
import { ModeSwitch } from './mode-switch.tsx';

export function Menus() {
  return (
    <>
      <ModeSwitch />
      <ColorScheme />
      <AccountMenu />
    </>
  );
}
