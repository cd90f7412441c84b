/** Links to screens: as text, as a button, and as a table row. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OfAnchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const AnchorLink = createLink((props: OfAnchor<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: OfAnchor<ButtonProps>) => <Button component="a" {...props} />);

/** A link in a cell of a row of the class `row-link-row`. It covers the whole row. */
export const RowLink = createLink(({ className = '', ...props }: OfAnchor<AnchorProps>) => (
  <Anchor className={`row-link ${className}`} fw={600} size="sm" {...props} />
));
