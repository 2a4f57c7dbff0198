import { useNavigate, useSearch } from '@tanstack/react-router';

/** Query of the address; all values are text. */
export type Address = Readonly<Record<string, string | undefined>>;

/** Returns the query of the address, and a function that changes it without losing other values; '' removes a value. */
export function useAddress(): readonly [
  Address,
  (changes: Address, options?: { replace?: boolean }) => void,
] {
  const address = useSearch({ strict: false }) as Address;
  const navigate = useNavigate();
  const change = (changes: Address, { replace = false } = {}) => {
    const values = Object.entries({ ...address, ...changes }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(values), replace });
  };
  return [address, change];
}
