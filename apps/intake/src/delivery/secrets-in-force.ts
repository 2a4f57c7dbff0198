/** While a secret or key is being replaced there are two of it; a body is signed with all of them. */
const mostSecrets = 5;

/**
 * SQL for the sealed secrets of a partner at a moment. Those without an end come first, so that hurried
 * rotations of one kind never push the current one of the other kind out.
 * @param partnerId and `at` are SQL expressions, never input
 */
export function sealedSecretsOf(partnerId: string, at: string): string {
  return `array(
    select sealed from webhook_secret
    where webhook_secret.partner_id = ${partnerId} and (expires_at is null or expires_at > ${at})
    order by expires_at is not null, webhook_secret.created_at desc limit ${mostSecrets}
  )`;
}
