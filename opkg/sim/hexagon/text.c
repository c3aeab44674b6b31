// <stdio.h> for kernels that print: snprintf, and printf to stderr. Widths, precisions and the flags 0, - and + are known.
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "system.h"

typedef struct {
  char* text;
  size_t room;  // including the 0 at the end
  size_t size;  // that it would take
} Output;

typedef struct {
  int width, precision;
  int left, zeros, plus, large;
} Field;

double floor(double);

static void put(Output* out, char c) {
  if (out->size + 1 < out->room) out->text[out->size] = c;
  ++out->size;
}

static void put_padded(Output* out, const Field* field, const char* text, size_t size) {
  const size_t width = field->width > 0 ? (size_t)field->width : 0;
  const size_t blanks = width > size ? width - size : 0;
  if (!field->left && !field->zeros) {
    for (size_t i = 0; i < blanks; ++i) put(out, ' ');
  }
  if (!field->left && field->zeros) {
    if (size != 0 && (*text == '-' || *text == '+')) {
      put(out, *text++);
      --size;
    }
    for (size_t i = 0; i < blanks; ++i) put(out, '0');
  }
  for (size_t i = 0; i < size; ++i) put(out, text[i]);
  for (size_t i = 0; field->left && i < blanks; ++i) put(out, ' ');
}

static size_t digits_of(uint64_t value, unsigned base, char* text) {
  char reversed[32];
  size_t size = 0;
  do {
    reversed[size++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value != 0);
  for (size_t i = 0; i < size; ++i) text[i] = reversed[size - 1 - i];
  return size;
}

static void put_integer(Output* out, const Field* field, uint64_t value, int is_negative, unsigned base) {
  char text[40];
  size_t size = 0;
  if (is_negative) text[size++] = '-';
  if (!is_negative && field->plus) text[size++] = '+';
  size += digits_of(value, base, text + size);
  put_padded(out, field, text, size);
}

/// Nine significant digits and an exponent where %f would be long; enough for looking at numbers.
static void put_real(Output* out, const Field* field, double value, char kind) {
  char text[400];
  size_t size = 0;
  if (value < 0.0) {
    text[size++] = '-';
    value = -value;
  } else if (field->plus) {
    text[size++] = '+';
  }
  if (value != value || value - value != 0.0) {
    memcpy(text + size, value != value ? "nan" : "inf", 3);
    put_padded(out, field, text, size + 3);
    return;
  }
  int exponent = 0;
  const int scaled = kind == 'e' || value >= 1e18 || (kind == 'g' && (value >= 1e6 || (value != 0.0 && value < 1e-4)));
  while (scaled && value >= 10.0) {
    value /= 10.0;
    ++exponent;
  }
  while (scaled && value != 0.0 && value < 1.0) {
    value *= 10.0;
    --exponent;
  }
  int places = field->precision < 0 ? 6 : field->precision < 17 ? field->precision : 17;
  double step = 1.0;
  for (int i = 0; i < places; ++i) step *= 10.0;
  uint64_t whole = (uint64_t)value;
  uint64_t fraction = (uint64_t)floor((value - (double)whole) * step + 0.5);
  if (fraction >= (uint64_t)step) {
    ++whole;
    fraction = 0;
  }
  size += digits_of(whole, 10, text + size);
  char tail[24];
  const size_t used = digits_of(fraction, 10, tail);
  if (places > 0) {
    text[size++] = '.';
    for (size_t i = used; i < (size_t)places; ++i) text[size++] = '0';
    memcpy(text + size, tail, used);
    size += used;
    while (kind == 'g' && text[size - 1] == '0') --size;
    if (text[size - 1] == '.') --size;
  }
  if (scaled) {
    text[size++] = 'e';
    text[size++] = exponent < 0 ? '-' : '+';
    size += digits_of((uint64_t)(exponent < 0 ? -exponent : exponent), 10, text + size);
  }
  put_padded(out, field, text, size);
}

static const char* read_field(const char* format, Field* field, va_list* args) {
  *field = (Field){0, -1, 0, 0, 0, 0};
  for (;; ++format) {
    if (*format == '-') field->left = 1;
    else if (*format == '0') field->zeros = 1;
    else if (*format == '+') field->plus = 1;
    else if (*format != ' ' && *format != '#') break;
  }
  if (*format == '*') {
    field->width = va_arg(*args, int);
    ++format;
  }
  for (; *format >= '0' && *format <= '9'; ++format) field->width = field->width * 10 + (*format - '0');
  if (*format == '.') {
    field->precision = 0;
    if (*++format == '*') {
      field->precision = va_arg(*args, int);
      ++format;
    }
    for (; *format >= '0' && *format <= '9'; ++format) field->precision = field->precision * 10 + (*format - '0');
  }
  for (; *format == 'l' || *format == 'h' || *format == 'z' || *format == 't' || *format == 'j'; ++format) {
    if (*format == 'j' || (*format == 'l' && format[1] == 'l')) field->large = 1;
  }
  return format;
}

int vsnprintf(char* text, size_t room, const char* format, va_list given) {
  Output out = {text, room, 0};
  va_list args;
  va_copy(args, given);
  for (; *format != 0; ++format) {
    if (*format != '%') {
      put(&out, *format);
      continue;
    }
    Field field;
    format = read_field(format + 1, &field, &args);
    if (*format == 'd' || *format == 'i') {
      const int64_t value = field.large ? va_arg(args, long long) : va_arg(args, int);
      put_integer(&out, &field, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, 10);
    } else if (*format == 'u' || *format == 'x' || *format == 'X') {
      const uint64_t value = field.large ? va_arg(args, unsigned long long) : va_arg(args, unsigned);
      put_integer(&out, &field, value, 0, *format == 'u' ? 10 : 16);
    } else if (*format == 'p') {
      put_integer(&out, &field, (uintptr_t)va_arg(args, void*), 0, 16);
    } else if (*format == 'c') {
      const char c = (char)va_arg(args, int);
      put_padded(&out, &field, &c, 1);
    } else if (*format == 's') {
      const char* string = va_arg(args, const char*);
      size_t size = 0;
      while ((field.precision < 0 || size < (size_t)field.precision) && string[size] != 0) ++size;
      put_padded(&out, &field, string, size);
    } else if (*format == 'f' || *format == 'g' || *format == 'e') {
      put_real(&out, &field, va_arg(args, double), *format);
    } else if (*format == 0) {
      break;
    } else {
      put(&out, *format);
    }
  }
  va_end(args);
  if (room != 0) text[out.size < room ? out.size : room - 1] = 0;
  return (int)out.size;
}

int snprintf(char* text, size_t room, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int size = vsnprintf(text, room, format, args);
  va_end(args);
  return size;
}

int printf(const char* format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  const int size = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  opkg_write_all(2, text, strlen(text));
  return size;
}

// Compilers turn printf of a plain text into these.
int puts(const char* text) {
  opkg_write_all(2, text, strlen(text));
  return opkg_write_all(2, "\n", 1) ? 0 : -1;
}

int putchar(int c) {
  const char byte = (char)c;
  return opkg_write_all(2, &byte, 1) ? c : -1;
}
