/** Points at which a test may kill this process during a delivery, with the required outcome. */
export const crashPoints = {
  /** The job is received, nothing is stored. The job is redelivered. */
  deliveryBeforeStore: 'delivery-before-store',
  /**
   * The delivery is being stored as leased, nothing is sent. It is leased again when the lease ends, or its job is
   * redelivered.
   */
  deliveryBeforeSend: 'delivery-before-send',
  /** The partner has answered, nothing is recorded. The same id and bytes are sent once more. */
  deliveryAfterSend: 'delivery-after-send',
} as const;
