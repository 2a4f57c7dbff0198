import type { Details } from './request.entity.ts';

/** Returns a detail that is a text; null if there is none. */
export function getDetailText(details: Details, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}
