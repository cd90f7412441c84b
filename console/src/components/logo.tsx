/** The logo. It is decorative, because the name is always beside it. */
import icon from '../icon.svg';

export function Logo({ size = 28 }: { readonly size?: number }) {
  return <img src={icon} width={size} height={size} alt="" />;
}
