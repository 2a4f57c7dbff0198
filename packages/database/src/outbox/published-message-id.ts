/** Creates the `Nats-Msg-Id`: under the old id JetStream would drop a repeat within its duplicate window. */
export function publishedMessageId(messageId: string, publishCount: number): string {
  return publishCount === 0 ? messageId : `${messageId}~${publishCount}`;
}
