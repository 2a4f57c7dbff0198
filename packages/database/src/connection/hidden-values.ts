/**
 * Octets of a running statement that PostgreSQL shows to the other sessions of its role (`track_activity_query_size`).
 */
export const shownOctets = 1_024;

const veil = `/*${' '.repeat(shownOctets)}*/ `;

/**
 * Prefixes a statement that writes with a comment that fills what `pg_stat_activity` shows. The ORM writes values into
 * the text. Without the prefix, an attacker with the role's password could see rows with their MACs before their commit, end
 * the session, and write the rows although they were rolled back.
 */
export function hideValues(text: string): string {
  return /^\s*(?:insert|update)\b/i.test(text) ? veil + text : text;
}
