/*
 * Preloaded into a process (LD_PRELOAD): notes down, in their order, every change of the files in one folder and every
 * sync of them, so that a test can make of it what a power cut would leave; and makes the disk full or read-only on request.
 *
 * PAY_DISK_FOLDER   the folder whose files are watched
 * PAY_DISK_JOURNAL  where it is noted down: op, length of the name, offset, length of the data (1, 4, 8, 4 bytes), both
 * PAY_DISK_FAULT    FILE.full is there: nothing is written any more; FILE.readonly: nothing is opened to be written;
 *                   FILE.broken: every write fails as on a broken disk; FILE.remounted: as on one that is read-only now;
 *                   FILE.unsynced: every sync fails, and it is unknown whether what was written is on the disk
 *
 * Without the last two, each folder X within that folder has its own: X.journal, X.full, X.readonly beside it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int journal = -1;
static const char *folder;
static const char *fault;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_open = dlsym(RTLD_NEXT, "open64");
  folder = getenv("PAY_DISK_FOLDER");
  fault = getenv("PAY_DISK_FAULT");
  const char *path = getenv("PAY_DISK_JOURNAL");
  if (path != NULL) journal = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The name within the folder; NULL: it is none of it. */
static const char *within(const char *path) {
  size_t length = folder == NULL ? 0 : strlen(folder);
  return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static const char *name_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return within(path);
}

/* The file of this kind beside the folder in which the name lies; 0: it lies in none. */
static int beside(const char *name, const char *kind, char *path) {
  const char *end = strchr(name, '/');
  if (end == NULL) return 0;
  snprintf(path, PATH_MAX, "%s/%.*s.%s", folder, (int)(end - name), name, kind);
  return 1;
}

static void note(char op, const char *name, uint64_t offset, const void *data, uint32_t length) {
  int to = journal;
  char path[PATH_MAX];
  if (to < 0 && beside(name, "journal", path)) to = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (to < 0) return;
  uint32_t name_length = strlen(name);
  size_t total = 17 + name_length + length;
  char *record = malloc(total);
  record[0] = op;
  memcpy(record + 1, &name_length, 4);
  memcpy(record + 5, &offset, 8);
  memcpy(record + 13, &length, 4);
  memcpy(record + 17, name, name_length);
  if (length > 0) memcpy(record + 17 + name_length, data, length);
  if (real_write(to, record, total) != (ssize_t)total) abort();
  free(record);
  if (to != journal) close(to);
}

static int faulty(const char *name, const char *kind) {
  char path[PATH_MAX];
  if (fault != NULL) snprintf(path, sizeof path, "%s.%s", fault, kind);
  else if (!beside(name, kind, path)) return 0;
  return access(path, F_OK) == 0;
}

static ssize_t written(int fd, const void *data, size_t length, off64_t offset, int placed) {
  char path[PATH_MAX];
  const char *name = folder == NULL ? NULL : name_of(fd, path);
  if (name == NULL) return placed ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
  /* What was acknowledged is noted down all the same. */
  int error = strcmp(name, "acknowledged") == 0 ? 0
              : faulty(name, "full")            ? ENOSPC
              : faulty(name, "broken")          ? EIO
              : faulty(name, "remounted")       ? EROFS
                                                : 0;
  if (error != 0) {
    errno = error;
    return -1;
  }
  pthread_mutex_lock(&turn);
  if (!placed) offset = fcntl(fd, F_GETFL) & O_APPEND ? lseek64(fd, 0, SEEK_END) : lseek64(fd, 0, SEEK_CUR);
  ssize_t done = placed ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
  if (done > 0) note('W', name, offset, data, done);
  pthread_mutex_unlock(&turn);
  return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  return written(fd, data, length, offset, 1);
}

int ftruncate64(int fd, off64_t length) {
  char path[PATH_MAX];
  const char *name = folder == NULL ? NULL : name_of(fd, path);
  if (name == NULL) return real_ftruncate(fd, length);
  pthread_mutex_lock(&turn);
  int result = real_ftruncate(fd, length);
  if (result == 0) note('T', name, length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd, int (*sync)(int)) {
  char path[PATH_MAX];
  const char *name = folder == NULL ? NULL : name_of(fd, path);
  if (name == NULL) return sync(fd);
  if (faulty(name, "unsynced")) {
    errno = EIO;
    return -1;
  }
  pthread_mutex_lock(&turn);
  int result = sync(fd);
  if (result == 0) note('S', name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}
int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }

int unlink(const char *path) {
  const char *name = within(path);
  if (name == NULL) return real_unlink(path);
  pthread_mutex_lock(&turn);
  int result = real_unlink(path);
  if (result == 0) note('U', name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}

int rename(const char *from, const char *to) {
  const char *name = within(from);
  if (name == NULL || within(to) == NULL) return real_rename(from, to);
  pthread_mutex_lock(&turn);
  int result = real_rename(from, to);
  if (result == 0) note('R', name, 0, within(to), strlen(within(to)));
  pthread_mutex_unlock(&turn);
  return result;
}

static int opened(const char *path, int flags, mode_t mode) {
  const char *name = within(path);
  int writes = (flags & O_ACCMODE) != O_RDONLY;
  if (name == NULL || !writes) return real_open(path, flags, mode);
  if (faulty(name, "readonly")) {
    errno = EROFS;
    return -1;
  }
  pthread_mutex_lock(&turn);
  int isNew = access(path, F_OK) != 0;
  int fd = real_open(path, flags, mode);
  if (fd >= 0 && isNew) note('C', name, 0, NULL, 0);
  if (fd >= 0 && !isNew && (flags & O_TRUNC)) note('T', name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return fd;
}

#define MODE(flags, mode) \
  mode_t mode = 0; \
  if (flags & O_CREAT) { \
    va_list more; \
    va_start(more, flags); \
    mode = va_arg(more, mode_t); \
    va_end(more); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, mode)
  return opened(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags, mode)
  return opened(path, flags, mode);
}
