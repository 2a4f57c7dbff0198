import { useParams } from '@tanstack/react-router';

/** A part of the path, such as the id behind `/requests/`. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  return params[name] ?? '';
}
