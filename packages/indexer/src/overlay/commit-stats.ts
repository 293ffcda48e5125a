/** Duration of all commits of finalized slots so far. */
export interface CommitStats {
  readonly commits: number;
  /** Account versions written by these commits. */
  readonly versions: number;
  readonly totalMs: number;
  readonly lastMs: number;
}

export const noCommits: CommitStats = { commits: 0, versions: 0, totalMs: 0, lastMs: 0 };

export const withCommit = (
  { commits, versions: before, totalMs }: CommitStats,
  versions: number,
  lastMs: number,
): CommitStats => ({
  commits: commits + 1,
  versions: before + versions,
  totalMs: totalMs + lastMs,
  lastMs,
});
