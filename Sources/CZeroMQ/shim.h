#pragma once
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <zmq.h>
