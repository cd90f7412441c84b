/** The mark of the product, which says nothing that its name beside it does not say. */
import icon from '../icon.svg';

export function Mark({ size = 28 }: { readonly size?: number }) {
  return <img src={icon} width={size} height={size} alt="" />;
}
