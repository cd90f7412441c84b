/** Links to screens, as a text and as a button. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OfAnchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const AnchorLink = createLink((props: OfAnchor<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: OfAnchor<ButtonProps>) => <Button component="a" {...props} />);
