import { useParams } from '@tanstack/react-router';

/** Returns a parameter of the path, such as the id after `/requests/`. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  return params[name] ?? '';
}
