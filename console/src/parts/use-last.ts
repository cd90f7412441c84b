/** What something was, while it is nothing: a drawer that closes goes on to show it. */
import { useState } from 'react';

export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
