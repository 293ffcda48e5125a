/** First byte of an account of the Token Metadata program. */
export const metadataAccountKeys = {
  uninitialized: 0,
  edition: 1,
  masterEditionV1: 2,
  reservationListV1: 3,
  metadata: 4,
  reservationListV2: 5,
  masterEditionV2: 6,
  editionMarker: 7,
  useAuthorityRecord: 8,
  collectionAuthorityRecord: 9,
  tokenOwnedEscrow: 10,
  tokenRecord: 11,
  metadataDelegate: 12,
  editionMarkerV2: 13,
  holderDelegate: 14,
} as const;
