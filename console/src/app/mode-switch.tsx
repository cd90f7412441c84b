/** Switches between live and test mode. */
import { Switch } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { strings } from '../strings/strings.ts';
import { addressIn, mode } from './mode.ts';
import { useMay } from './role.ts';

export function ModeSwitch() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (!useMay()('owner') && mode === 'live') return null;
  return (
    <Switch
      checked={mode === 'test'}
      onChange={() => location.assign(addressIn(mode === 'test' ? 'live' : 'test', path))}
      label={strings.app.testMode}
      labelPosition="left"
      color="yellow"
      styles={{ label: { whiteSpace: 'nowrap' } }}
    />
  );
}
