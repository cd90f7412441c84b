/** Returns the value, or its last defined value, so that a drawer keeps its content while it closes. */
import { useState } from 'react';

export function usePreviousDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
