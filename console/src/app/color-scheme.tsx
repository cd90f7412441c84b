/** The menu for the colour scheme: light, dark, or that of the device. */
import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';
import { strings } from '../strings/strings.ts';

const icons = { light: Sun, dark: Moon, auto: Monitor };

export function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = icons[colorScheme];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={strings.app.colorScheme}>
          <Current size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          {Object.entries(icons).map(([value, Icon]) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} />}>
              {strings.app.colorSchemes[value as MantineColorScheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
