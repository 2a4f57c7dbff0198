import { useNavigate, useSearch } from '@tanstack/react-router';

/** What stands behind `?` in the address, all of it text. */
export type Address = Readonly<Record<string, string | undefined>>;

/** Reads the address, and changes it without losing the rest; a value of '' is taken out. */
export function useAddress(): readonly [
  Address,
  (changes: Address, options?: { replace?: boolean }) => void,
] {
  const address = useSearch({ strict: false }) as Address;
  const navigate = useNavigate();
  const change = (changes: Address, { replace = false } = {}) => {
    const kept = Object.entries({ ...address, ...changes }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(kept), replace });
  };
  return [address, change];
}
