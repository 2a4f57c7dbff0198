/** What goes out as `Nats-Msg-Id`: under the old id JetStream would swallow a repeat inside its window. */
export function publishedMessageId(messageId: string, publishCount: number): string {
  return publishCount === 0 ? messageId : `${messageId}~${publishCount}`;
}
